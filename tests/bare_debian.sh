# bare_debian.sh: a bare Debian in the folder $bare, for tests of what is installed. To be sourced; needs root, debootstrap and a
# network.
# shellcheck shell=bash
: "${bare:?the folder}"

# inside COMMAND [ARGUMENT...]: as root of the bare system, with nothing of this environment but the way to the network
inside() {
    local way=() name
    while IFS= read -r name; do way+=("$name=${!name}"); done < <(compgen -e | grep -iE '^(https?|no)_proxy$|^SSL_CERT' || true)
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${way[@]}" chroot "$bare" "$@"
}

# install_inside PACKAGE...: its log is $bare.apt.log
install_inside() {
    inside bash -c "apt-get -q -y --no-install-recommends install $*" >"$bare.apt.log" 2>&1 || { tail "$bare.apt.log" >&2 && return 1; }
}

remove_bare() {
    ! mountpoint -q "$bare/proc" || umount "$bare/proc"
    rm -rf --one-file-system "$bare"
}

# make_bare [RELEASE]: this machine's release, or that one; removed at the end of the script. Its log is $bare.log
make_bare() {
    ((EUID == 0)) || { echo "$0: needs root, for debootstrap and chroot" >&2 && return 1; }
    command -v debootstrap >/dev/null || { echo "$0: debootstrap is not installed" >&2 && return 1; }
    local release mirror
    release=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' "Codename: $release" | head -n 1)
    trap remove_bare EXIT
    remove_bare
    mkdir -p "$(dirname "$bare")"
    debootstrap --variant=minbase --include=ca-certificates "$release" "$bare" ${mirror:+"$mirror"} >"$bare.log" 2>&1 ||
        { tail "$bare.log" >&2 && return 1; }
    cp -a /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d "$bare/etc/apt/"
    cp /etc/resolv.conf /etc/hosts "$bare/etc/"
    mount -t proc proc "$bare/proc"
    inside apt-get -q update >/dev/null
}
