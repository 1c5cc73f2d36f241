namespace Larder.Server.Security;

/// <summary>
/// Detects changes of a file by its times, its length and the targets of its links. A link that is replaced anywhere in the path is therefore detected. The
/// file is polled, because file system events are unreliable on network file systems and in containers.
/// </summary>
/// <param name="path">The path of the file. The file does not have to exist.</param>
internal sealed class FileWatch(string path)
{
    private Look _read = Look.At(path);
    private Look _last = Look.At(path);

    /// <summary>Records the current state of the file as loaded. Must be called before the file is read.</summary>
    public void Note()
    {
        Look now = Look.At(path);
        Volatile.Write(ref _read, now);
    }

    /// <summary>
    /// Returns whether the file differs from the loaded file and has not changed since the previous check. Therefore a file that is still being written is not
    /// reported.
    /// </summary>
    public bool HasChanged()
    {
        Look now = Look.At(path);
        bool isStill = now == _last;
        _last = now;
        return isStill && now != Volatile.Read(ref _read);
    }

    private sealed record Look(bool Exists, long Bytes, DateTime WrittenAt, DateTime MadeAt, string Target)
    {
        public static Look At(string path)
        {
            try
            {
                FileInfo file = new(path);
                FileInfo target = file.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? file;
                return target.Exists
                    ? new Look(true, target.Length, target.LastWriteTimeUtc, target.CreationTimeUtc, target.FullName)
                    : new Look(false, 0, default, default, "");
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // A link is being replaced, or a folder is missing. The file is treated as missing until the next check.
                return new Look(false, 0, default, default, "");
            }
        }
    }
}
