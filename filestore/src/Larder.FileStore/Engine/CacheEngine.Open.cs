using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>The maximum number of bytes that are read under the lock: about 2,000 lines, which are read in well under a millisecond.</summary>
    private const int MaxReadUnderLock = 128 * 1024;
    private const int MaxRounds = 50;

    /// <summary>The maximum number of attempts to open a cache while its folder is being replaced.</summary>
    private const int MaxOpenings = 5;

    /// <summary>Opens the cache; creates the folder and the files as needed, and repairs incomplete writes of a writer that was terminated.</summary>
    internal static CacheEngine Open(FileStoreSettings settings)
    {
        if (!settings.ReadOnly)
        {
            CheckPath(settings.Path);
            EditedFile.RemoveEdits(settings.Path);
        }
        bool polled = MustPoll(settings);
        try
        {
            for (int attempt = 1; ; attempt++)
            {
                Coordinator coordinator = settings.ReadOnly ? new ReadOnlyCoordinator(settings.Path + ".idx", !polled)
                    : polled ? new LockFile(settings.Path + ".lock") : Sidecar.Open(settings.Path + ".idx");
                try
                {
                    return Open(settings, coordinator);
                }
                catch (IOException) when (!settings.ReadOnly && attempt < MaxOpenings && !coordinator.IsAtPath)
                {
                    // The folder was replaced while the cache was being opened. Retry in the new folder.
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new DistributedFileStoreCacheException(
                $"The cache file {settings.Path} cannot be opened or created: {e.Message} Check that the path is valid and writable.", e);
        }
    }

    private static CacheEngine Open(FileStoreSettings settings, Coordinator coordinator)
    {
        CacheEngine engine = new(settings, coordinator);
        engine._clock.AddUser();
        try
        {
            if (settings.ReadOnly)
            {
                engine.StartReading();
            }
            else
            {
                engine.Start();
                FileModes.Apply(settings.Path + ".idx", settings.UnixCreateMode);
            }
        }
        catch
        {
            engine._log?.Dispose();
            coordinator.Dispose();
            engine._clock.RemoveUser();
            throw;
        }
        Instruments.Add(engine);
        return engine;
    }

    /// <summary>Whether the file was read up to its last complete line before the lock was taken.</summary>
    private bool _isReadToEnd;

    private void Start()
    {
        lock (_gate)
        {
            WaitForRepairByOthers();
            if (IsPolled)
            {
                StartPolled();
            }
            else
            {
                StartLocal();
            }
            _committed = _coordinator.CommittedWord;
        }
        DeleteOldTemporaries();
        Log.Opened(_logger, Path, _set.Count, IsPolled ? "polled" : "local");
        StartMaintenance();
    }

    /// <summary>
    /// Waits while other processes repair a file that was overwritten or has a hole. They can repair the file because they still have its former contents in
    /// memory.
    /// </summary>
    private void WaitForRepairByOthers()
    {
        long start = Stopwatch.GetTimestamp();
        while (_coordinator.IsOfThisBoot && _coordinator.IsOpenElsewhere && Stopwatch.GetElapsedTime(start) < _settings.RecoveryTimeout)
        {
            if (IsWhole())
            {
                return;
            }
            Thread.Sleep(20);
        }
    }

    private void StartLocal()
    {
        LoadOutsideLock();
        if (!_coordinator.TryLock(_settings.LockTimeout))
        {
            if (!_coordinator.IsOfThisBoot)
            {
                throw Busy(_coordinator.Holder);
            }
            StartWithoutLock();
            return;
        }
        try
        {
            if (!Joins())
            {
                if (_coordinator.IsOfThisBoot)
                {
                    // A hole may have appeared in the file after WaitForRepairByOthers.
                    TryLeaveToOthers();
                }
                Establish(replaced: false);
            }
        }
        finally
        {
            _coordinator.Unlock();
        }
    }

    /// <summary>Starts the polled mode. Takes the lock only to create the file or to take over a file that was written in another mode.</summary>
    private void StartPolled()
    {
        long start = Stopwatch.GetTimestamp();
        while (!TryLoadPolled())
        {
            if (_coordinator.TryLock(TimeSpan.FromMilliseconds(100)))
            {
                try
                {
                    Establish(replaced: false);
                    return;
                }
                finally
                {
                    _coordinator.Unlock();
                }
            }
            if (Stopwatch.GetElapsedTime(start) > _settings.LockTimeout)
            {
                throw Busy(_coordinator.Holder);
            }
        }
    }

    private bool TryLoadPolled()
    {
        SafeFileHandle? file = OpenFile.Try(Path);
        if (file is null || ReadHeader(file, out LogHeader header) != HeaderVerdict.Good || !header.Polled)
        {
            file?.Dispose();
            return false;
        }
        lock (_monitor)
        {
            Load(file, header, long.MaxValue, TailPolicy.Torn);
            _coordinator.LogId = header.Id;
            Volatile.Write(ref _coordinator.Committed, _position);
            Publish(_position);
            Volatile.Write(ref _polledAt, _clock.CoarseTick);
            return true;
        }
    }

    /// <summary>Reads the existing contents before the lock is taken, so that only the most recent lines must be read under the lock.</summary>
    private void LoadOutsideLock()
    {
        lock (_monitor)
        {
            bool isOfThisBoot = _coordinator.IsOfThisBoot;
            if (!TryLoadWhole(isOfThisBoot) || !isOfThisBoot)
            {
                return;
            }
            for (int round = 0; round < MaxRounds; round++)
            {
                if (Word.Length(_coordinator.Committed) - Word.Length(_position) < MaxReadUnderLock || !CatchUpQuietly())
                {
                    break;
                }
            }
            // This call only makes sure that Agrees is JIT-compiled before it runs under the lock.
            Agrees();
        }
    }

    /// <summary>
    /// Reads the file up to the committed length. If no process has opened the file since the machine booted, there are no writers, and the file is read up to
    /// its last complete line. Returns false if the file cannot be used, for example because a line is damaged or was edited manually. The holder of the lock
    /// then handles the file.
    /// </summary>
    private bool TryLoadWhole(bool toCommitted)
    {
        SafeFileHandle? file = OpenFile.Try(Path);
        long length = long.MaxValue;
        if (file is null || ReadHeader(file, out LogHeader header) != HeaderVerdict.Good || header.Polled
            || (toCommitted && (header.Id != _coordinator.LogId || !TryPlace(header, _coordinator.Committed, out length))))
        {
            file?.Dispose();
            return false;
        }
        _isTrial = true;
        long end = Load(file, header, length, TailPolicy.Torn);
        _isTrial = false;
        if (_isEdited || (toCommitted && end != length))
        {
            _log?.Dispose();
            (_log, _position, _isEdited, _set) = (null, 0, false, new EntrySet(_clock));
            return false;
        }
        _isReadToEnd = !toCommitted;
        return true;
    }

    /// <summary>
    /// Applies the new lines of the file, but returns false instead of throwing if the file cannot be read. The error is reported when the file is read again
    /// under the lock.
    /// </summary>
    private bool CatchUpQuietly()
    {
        try
        {
            return CatchUp();
        }
        catch (Exception e) when (e is IOException or DistributedFileStoreCacheException)
        {
            return false;
        }
    }

    /// <summary>
    /// Reads the lines up to the committed length that were not yet loaded outside the lock. Returns false if the loaded contents are not valid. The caller
    /// holds the gate and the write lock.
    /// </summary>
    private bool Joins()
    {
        if (_log is null || !_coordinator.IsOfThisBoot || _coordinator.LogId != _logId)
        {
            return false;
        }
        RepairIfDirty();
        return !_isEdited && Agrees();
    }

    /// <summary>Opens the cache although a stalled writer holds the lock. Loads only what is already committed.</summary>
    private void StartWithoutLock()
    {
        lock (_monitor)
        {
            if (!CatchUp())
            {
                throw Busy(_coordinator.Holder);
            }
        }
    }

    private static void CheckPath(string path)
    {
        string folder = System.IO.Path.GetDirectoryName(path)!;
        try
        {
            CreateFolder(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new DistributedFileStoreCacheException(
                $"The folder {folder} of the cache file does not exist and cannot be created: {e.Message} Create it, or choose another folder.", e);
        }
        foreach (string file in (ReadOnlySpan<string>)[path, path + ".idx"])
        {
            if (new FileInfo(file).LinkTarget is { } target)
            {
                throw new DistributedFileStoreCacheException(
                    $"The cache file {file} is a symbolic link to {target}. Compaction would replace the link. Pass the path of the file itself.");
            }
            if (Directory.Exists(file))
            {
                throw new DistributedFileStoreCacheException($"The cache file {file} is a folder. Choose another cache file name.");
            }
        }
    }

    private static bool MustPoll(FileStoreSettings settings)
    {
        if (settings.Coherence == FileStoreCoherence.Polled)
        {
            return true;
        }
        string folder = System.IO.Path.GetDirectoryName(settings.Path)!;
        bool coherent = settings.Probe(folder);
        if (settings.Coherence == FileStoreCoherence.Local && !coherent)
        {
            throw new DistributedFileStoreCacheException(
                $"Coherence = Local requires a file system that shares memory and locks between processes; the file system of {folder} is not known to do so. "
                + "Use Automatic or Polled, or put the file on a local disk.");
        }
        return !coherent || (settings.Coherence == FileStoreCoherence.Automatic && IsMarkedPolled(settings.Path));
    }

    private static bool IsMarkedPolled(string path)
    {
        using SafeFileHandle? file = OpenFile.Try(path, toRead: true);
        return file is not null && ReadHeader(file, out LogHeader header) == HeaderVerdict.Good && header.Polled;
    }
}
