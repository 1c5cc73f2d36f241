using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Larder.FileStore.Engine;

/// <summary>
/// The coordinator of file systems without shared memory and locks between hosts: writers create <c>NAME.jsonl.lock</c> exclusively and
/// delete it; the committed word is this process's own and filled by looking at the file.
/// </summary>
/// <remarks>
/// A lock whose content did not change for <see cref="LeaseMs"/> by this process's own clock, or whose holder is a process of this machine that
/// no longer runs, is taken away. A holder that only paused notices before it writes; a window between its look and its write remains.
/// </remarks>
internal sealed unsafe class LockFile : Coordinator
{
    private const long LeaseMs = 4_000;

    /// <summary>A holder that is at work for long says so this often.</summary>
    private const int RenewalMs = 1_000;
    private readonly string _path;
    private readonly string _owner = string.Create(CultureInfo.InvariantCulture, $"{MachinePart()} {Environment.ProcessId} ");
    private readonly long* _word = (long*)NativeMemory.AllocZeroed(sizeof(long));
    private string _held = "";
    private string? _observed;
    private long _observedSince;

    private readonly Timer _renewal;

    private readonly Func<long> _now;

    /// <param name="path">The lock file.</param>
    /// <param name="now">Monotonic milliseconds; the system's if not given.</param>
    internal LockFile(string path, Func<long>? now = null)
    {
        _path = path;
        _now = now ?? (static () => Environment.TickCount64);
        WeakReference<LockFile> self = new(this);
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        _renewal = new Timer(static state => Renew((WeakReference<LockFile>)state!), self, Timeout.Infinite, Timeout.Infinite);
    }

    ~LockFile() => NativeMemory.Free(_word);

    internal override long* CommittedWord => _word;

    internal override bool IsPolled => true;

    internal override bool Dirty { get; set; }

    internal override ulong LogId { get; set; }

    internal override bool IsOfThisBoot => Committed != 0;

    internal override bool IsAtPath => true;

    internal override bool IsOpenElsewhere => false;

    internal override string Holder => $"the owner of {_path} ({_observed})";

    internal override bool StillHeld => ReadOwner() == _held;

    internal override void Size()
    {
        // Its word is this process's own.
    }

    internal override bool InitialiseIfOutdated()
    {
        Dirty |= !IsOfThisBoot;
        return !IsOfThisBoot;
    }

    internal override bool TryLock()
    {
        string content = _owner + Guid.NewGuid().ToString("N");
        try
        {
            using FileStream file = OpenFile.CreateNew(_path);
            file.Write(Encoding.UTF8.GetBytes(content));
            FileModes.Apply(file.SafeFileHandle, System.IO.Path.ChangeExtension(_path, null), null);
            _held = content;
            _renewal.Change(RenewalMs, RenewalMs);
            return true;
        }
        catch (IOException) when (File.Exists(_path))
        {
            BreakIfAbandoned();
            return false;
        }
        catch (IOException e) when (e is not DirectoryNotFoundException)
        {
            // Released between the attempt and the look: the caller tries again.
            return false;
        }
        catch (UnauthorizedAccessException e)
        {
            throw new DistributedFileStoreCacheException(
                $"The lock file {_path} cannot be created: {e.Message} Give this process write access to the folder.",
                e);
        }
    }

    internal override bool TryLockAtOnce() => TryLock();

    /// <summary>Tries again at random moments, ever further apart, so that those who wait do not meet each other at each attempt.</summary>
    internal override bool TryLock(TimeSpan timeout)
    {
        long start = Stopwatch.GetTimestamp();
        for (int mostMs = 2; !TryLock(); mostMs = Math.Min(mostMs * 2, 32))
        {
            if (Stopwatch.GetElapsedTime(start) > timeout)
            {
                return false;
            }
            Thread.Sleep(Random.Shared.Next(1, mostMs + 1));
        }
        return true;
    }

    internal override void Unlock()
    {
        _renewal.Change(Timeout.Infinite, Timeout.Infinite);
        if (StillHeld)
        {
            File.Delete(_path);
        }
        _held = "";
    }

    internal override bool TryClaimCompaction() => true;

    internal override void ReleaseCompaction()
    {
        // Nothing is shared: a second compactor loses at the switch.
    }

    [System.Diagnostics.CodeAnalysis.SuppressMessage("Usage", "CA1816", Justification = "The finalizer has to run after Dispose: it alone frees the memory.")]
    public override void Dispose()
    {
        // The word is freed by the finalizer alone: a read on another thread may still look at it.
        _renewal.Dispose();
    }

    private void BreakIfAbandoned()
    {
        if (ReadOwner() is not { } owner)
        {
            // Released in between.
            return;
        }
        // The time tells apart owners that are not written yet, and moves on while a holder is at work.
        string observed = owner + " " + File.GetLastWriteTimeUtc(_path).Ticks.ToString(CultureInfo.InvariantCulture);
        long now = _now();
        if (observed != _observed)
        {
            _observed = observed;
            _observedSince = now;
        }
        if (now - _observedSince < LeaseMs && !IsDeadHere(owner))
        {
            return;
        }
        string aside = _path + "." + Guid.NewGuid().ToString("N");
        try
        {
            File.Move(_path, aside);
            if (File.ReadAllText(aside) != owner)
            {
                // A fresh lock was taken away: it goes back.
                File.Move(aside, _path);
                return;
            }
            File.Delete(aside);
        }
        catch (IOException)
        {
            // Its holder or another breaker was first.
        }
    }

    /// <summary>Moves the lock file's time on, which those who wait look at beside its content.</summary>
    private static void Renew(WeakReference<LockFile> self)
    {
        if (self.TryGetTarget(out LockFile? file) && file._held.Length > 0)
        {
            try
            {
                File.SetLastWriteTimeUtc(file._path, DateTime.UtcNow);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Taken away after a pause: StillHeld says so before the next write.
            }
        }
    }

    private static bool IsDeadHere(string owner)
    {
        string[] parts = owner.Split(' ');
        return OperatingSystem.IsLinux() && parts.Length == 3 && parts[0] == MachinePart() && !Directory.Exists("/proc/" + parts[1]);
    }

    /// <summary>What the lock file says; null where there is none.</summary>
    private string? ReadOwner()
    {
        try
        {
            return File.ReadAllText(_path);
        }
        catch (IOException)
        {
            return null;
        }
        catch (UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The run of the machine and the space that process ids count in, so that an id means something.</summary>
    private static string MachinePart()
    {
        string space = OperatingSystem.IsLinux() ? new FileInfo("/proc/self/ns/pid").LinkTarget ?? "" : Environment.MachineName;
        return BootIdentity.Current.ToString("x", CultureInfo.InvariantCulture) + "/" + space.Replace(' ', '_');
    }
}
