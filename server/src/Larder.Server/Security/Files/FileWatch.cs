namespace Larder.Server.Security;

/// <summary>
/// Detects changes of a file by its times, its length and the target of its links, so that a link swapped anywhere in the path is noticed. It polls
/// instead of using file system events, which are unreliable on network file systems and in containers.
/// </summary>
/// <param name="path">The file; it need not exist.</param>
internal sealed class FileWatch(string path)
{
    private Look _read = Look.At(path);
    private Look _last = Look.At(path);

    /// <summary>Records the current state as loaded. Must be called before the file is read.</summary>
    public void Note()
    {
        Look now = Look.At(path);
        Volatile.Write(ref _read, now);
    }

    /// <summary>
    /// Returns whether the file differs from the loaded one and has not changed since the previous check. A file that is still being written is not
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
                // A link that is being replaced or a missing folder: treated as a missing file until the next check.
                return new Look(false, 0, default, default, "");
            }
        }
    }
}
