import CAssets

/// The two scripts of the repository, embedded in the binary so that an installed command needs no other file.
package enum HookScripts {
    package static var permission: String { String(cString: cassets_permission_sh()) }
    package static var forward: String { String(cString: cassets_forward_sh()) }
}
