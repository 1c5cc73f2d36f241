namespace Larder.FileStore.Tests.Support;

/// <summary>
/// A folder and a cache file that another account can read but not write: modes 0555 and 0444. If the tests run as root, these modes do not restrict the owner,
/// so processes are started as the user nobody.
/// </summary>
internal sealed class ReadOnlyFolder : IDisposable
{
    private const UnixFileMode Readable = UnixFileMode.UserRead | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
    private readonly ScratchFolder _folder;
    private readonly bool _mayReadTheSidecar;

    internal ReadOnlyFolder(ScratchFolder folder, bool mayReadTheSidecar = false)
    {
        (_folder, _mayReadTheSidecar) = (folder, mayReadTheSidecar);
        Protect();
        File.SetUnixFileMode(folder.Path, Readable | UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute);
    }

    /// <summary>Sets the modes of the file and of the sidecar. A compaction keeps the mode of the file.</summary>
    internal void Protect()
    {
        File.SetUnixFileMode(_folder.CacheFile, Readable);
        if (File.Exists(_folder.CacheFile + ".idx"))
        {
            File.SetUnixFileMode(_folder.CacheFile + ".idx", _mayReadTheSidecar ? Readable : UnixFileMode.UserRead);
        }
    }

    internal Peer Start(params string[] options) => Peer.Ready(StartUnready(options));

    internal Peer StartUnready(params string[] options) => Peer.StartUnready(
        Environment.UserName == "root" ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "dotnet"] : ["dotnet"], _folder, options);

    public void Dispose() => File.SetUnixFileMode(_folder.Path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
}
