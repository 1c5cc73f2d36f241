namespace Larder.Server.Security;

/// <summary>
/// Whether a file is another one than was read: by its times, its length and where its links lead, so that a link that was swapped is seen, wherever in the
/// path it is. By looking, and not by the system's events: those are lost on network file systems and in containers.
/// </summary>
/// <param name="path">The file, which need not be there.</param>
internal sealed class FileWatch(string path)
{
    private Look _read = Look.At(path);
    private Look _last = Look.At(path);

    /// <summary>The file is about to be read.</summary>
    public void Note()
    {
        Look now = Look.At(path);
        Volatile.Write(ref _read, now);
    }

    /// <summary>
    /// Whether it is another than was read, and looks as it did when this was asked before: one that is being written is let be until it is still.
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
                // A link in the midst of being swapped, or a folder that is gone: as good as no file, until it is looked at again.
                return new Look(false, 0, default, default, "");
            }
        }
    }
}
