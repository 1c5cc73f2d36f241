using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// The file <c>NAME.jsonl.idx</c>: 4096 bytes that the processes of one machine share through a memory mapping. It can always be rebuilt from the log. Its
/// descriptor holds the write lock (flock). The library never truncates it. If another program truncates the file or overwrites it in place (for example by
/// restoring a backup), <see cref="TruncationGuard"/> keeps the process alive. The same file is then initialized again under the lock, so that all processes
/// that map the file continue to share it.
/// </summary>
/// <remarks>
/// The layout, little endian: 0 magic and version · 8 log id · 16 boot identity · 24 random number of the sidecar · 64 committed word · 128 dirty flag ·
/// 132 process id of the last lock holder · 256 to 767 the <see cref="WriterQueue"/>.
/// Bytes 1 and 2 are used for <see cref="RangeLock"/>s.
/// Only the finalizer unmaps the memory, so that a read in progress on another thread never accesses unmapped memory.
/// </remarks>
internal sealed unsafe class Sidecar : Coordinator
{
    internal const int Bytes = 4096;
    internal const int CommittedAt = 64;

    /// <summary>The bytes after this offset are zero.</summary>
    private const int UsedBytes = 768;

    /// <summary>"LRDRIDX" and version 1.</summary>
    internal const long Magic = 0x01_58_44_49_52_44_52_4C;
    private readonly SafeFileHandle _file;
    private readonly int _descriptor;
    private readonly FileFacts _facts;
    private readonly byte[] _systemPath;
    private byte* _view;
    private WriterQueue? _queue;

    private bool _wasNew;

    /// <summary>The ticket of this lock holder in the queue; null if the holder took the lock without queueing.</summary>
    private int? _ticket;

    private Sidecar(string path, SafeFileHandle file)
    {
        Path = path;
        _file = file;
        _descriptor = (int)file.DangerousGetHandle();
        _facts = FileFacts.OfOpen(file);
        _systemPath = FileFacts.SystemPath(path);
    }

    ~Sidecar()
    {
        if (_view != null)
        {
            TruncationGuard.Remove((nint)_view);
            _ = NativeMethods.Unmap((nint)_view, Bytes);
        }
    }

    internal string Path { get; }

    internal override long* CommittedWord => (long*)(_view + CommittedAt);

    internal override bool IsPolled => false;

    /// <summary>Gets whether no writer is queued for the lock. Used by tests.</summary>
    internal bool IsQueueEmpty => _queue is null || _queue.IsEmpty;

    internal override ulong LogId { get => *(ulong*)(_view + 8); set => *(ulong*)(_view + 8) = value; }

    internal override bool StillHeld => true;

    internal override string Holder => _view == null || HolderId == 0 ? "a process that is starting" : $"process {Volatile.Read(ref HolderId)}";

    private ref int HolderId => ref *(int*)(_view + 132);

    internal override bool Dirty
    {
        get => Volatile.Read(ref *(int*)(_view + 128)) != 0;
        set => Volatile.Write(ref *(int*)(_view + 128), value ? 1 : 0);
    }

    internal override bool IsOfThisBoot => _view != null && *(long*)_view == Magic && *(long*)(_view + 16) == BootIdentity.Current;

    /// <summary>
    /// Opens or creates the file, and maps the file if it has its full size. Otherwise the caller must call <see cref="InitialiseIfOutdated"/> under the lock.
    /// </summary>
    internal static Sidecar Open(string path)
    {
        SafeFileHandle? file = OpenFile.Try(path);
        if (file is null)
        {
            OpenFile.Create(path);
            file = OpenFile.Try(path) ?? throw new IOException($"The file {path} disappeared while it was being opened; try again.");
        }
        Sidecar sidecar = new(path, file);
        if (RandomAccess.GetLength(file) >= Bytes)
        {
            sidecar.Map();
        }
        RangeLock.Share(file, RangeLock.Alive);
        return sidecar;
    }

    internal override bool TryLock()
    {
        if (NativeMethods.FileLock(_descriptor, NativeMethods.LockExclusive | NativeMethods.LockNonBlocking) != 0)
        {
            return false;
        }
        if (IsOfThisBoot)
        {
            Volatile.Write(ref HolderId, Environment.ProcessId);
        }
        return true;
    }

    /// <summary>
    /// Takes the lock. Tries immediately, unless the first writer of the queue has already waited for <see cref="WriterQueue.UrgentMs"/>. If it does not get
    /// the lock, joins the queue. A waiter that is not called for a while tries to take the lock out of turn, because the writers before it may be dead.
    /// </summary>
    internal override bool TryLock(TimeSpan timeout)
    {
        if (TryLockAtOnce())
        {
            return true;
        }
        if (timeout <= TimeSpan.Zero)
        {
            // Do not join the queue without time to wait, because the abandoned ticket would delay the next writers.
            return TryLockBriefly();
        }
        return _queue is null ? TryLockUnqueued(timeout) : TryLockInTurn(_queue, timeout);
    }

    internal override bool TryLockAtOnce() => (_queue is null || _queue.IsOpen) && TryLockBriefly();

    private bool TryLockInTurn(WriterQueue queue, TimeSpan timeout)
    {
        StallAwareTimeout patience = new(timeout);
        int ticket = queue.Join();
        for (int pauseMs = 1; ;)
        {
            bool isTurn = queue.IsTurnOf(ticket);
            if ((isTurn || pauseMs > 1) && TryLockBriefly())
            {
                _ticket = ticket;
                return true;
            }
            TimeSpan left = patience.Left;
            if (left <= TimeSpan.Zero)
            {
                if (isTurn)
                {
                    queue.AdvanceTo(ticket + 1);
                }
                return false;
            }
            if (isTurn && patience.Elapsed.TotalMilliseconds > WriterQueue.UrgentMs)
            {
                queue.Press();
            }
            // If it is this ticket's turn, the lock holder is about to finish. Otherwise a writer with an earlier ticket is slow or dead, or the lock holder is
            // stalled.
            int ms = (int)Math.Clamp(left.TotalMilliseconds, 1, isTurn ? pauseMs : WriterQueue.StallMs);
            long asleep = Stopwatch.GetTimestamp();
            queue.Sleep(ticket, isTurn, ms);
            patience.Slept(ms, Stopwatch.GetElapsedTime(asleep));
            pauseMs = Math.Min(pauseMs * 2, WriterQueue.StallMs);
        }
    }

    /// <summary>Waits for a sidecar that does not have its full size yet because another process is creating it.</summary>
    private bool TryLockUnqueued(TimeSpan timeout)
    {
        StallAwareTimeout patience = new(timeout);
        while (!TryLock())
        {
            if (patience.IsOver)
            {
                return false;
            }
            Thread.Sleep(1);
            patience.Slept(1, TimeSpan.FromMilliseconds(1));
        }
        return true;
    }

    private bool TryLockBriefly()
    {
        for (int attempt = 0; attempt < 20; attempt++)
        {
            if (TryLock())
            {
                return true;
            }
            Thread.SpinWait(20);
        }
        return false;
    }

    internal override void Unlock()
    {
        int? ticket = _ticket;
        _ticket = null;
        _ = NativeMethods.FileLock(_descriptor, NativeMethods.LockRelease);
        if (_queue is null)
        {
            return;
        }
        if (ticket is { } mine)
        {
            _queue.AdvanceTo(mine + 1);
        }
        else if (!_queue.IsEmpty)
        {
            _queue.Call();
        }
    }

    /// <summary>
    /// Extends a new or truncated file to its full size. Writes zeros instead of only setting the length, so that a full disk causes an exception here instead
    /// of a fault in the mapping. The remaining contents of a truncated file are not trusted.
    /// </summary>
    internal override void Size()
    {
        long length = RandomAccess.GetLength(_file);
        if (length < Bytes)
        {
            byte[] content = new byte[Bytes];
            int read = RandomAccess.Read(_file, content, 0);
            RequireOurs(content, read);
            RandomAccess.Write(_file, new byte[Bytes], 0);
        }
        if (_view == null || !IsIntact)
        {
            Map();
        }
        RequireOurs(new ReadOnlySpan<byte>(_view, Bytes), Bytes);
    }

    internal override bool IsIntact => _view != null && Volatile.Read(ref *(long*)_view) == Magic;

    // A file without the magic number is either still being created or was left by a process that was killed. In the first case, writers may already wait in
    // the queue in this file. Therefore only the bytes after the queue must be zero.
    private void RequireOurs(ReadOnlySpan<byte> content, int length)
    {
        long mark = BinaryPrimitives.ReadInt64LittleEndian(content);
        long magic = length >= sizeof(long) ? Magic : Magic & ((1L << (8 * length)) - 1);
        if (mark != magic && (mark != 0 || content[UsedBytes..].ContainsAnyExcept((byte)0)))
        {
            throw new DistributedFileStoreCacheException(
                $"The file {Path} was not written by this library. Move it, or choose another cache file name.");
        }
    }

    internal override bool InitialiseIfOutdated()
    {
        // Another process may have initialized the sidecar since this process opened it.
        Size();
        if (IsOfThisBoot)
        {
            return false;
        }
        _wasNew = *(long*)_view != Magic;
        Dirty = true;
        Volatile.Write(ref Committed, 0);
        *(long*)(_view + 24) = Random.Shared.NextInt64();
        *(long*)(_view + 16) = BootIdentity.Current;
        Volatile.Write(ref *(long*)_view, Magic);
        return true;
    }

    internal override bool IsAtPath => _facts.IsAt(_systemPath);

    internal override bool WasNew => _wasNew;

    internal override bool IsOpenElsewhere => RangeLock.IsHeldElsewhere(_file, RangeLock.Alive);

    internal override bool TryClaimCompaction() => RangeLock.TryTake(_file, RangeLock.Compactor);

    internal override void ReleaseCompaction()
    {
        try
        {
            RangeLock.Release(_file, RangeLock.Compactor);
        }
        catch (ObjectDisposedException)
        {
            // The sidecar was closed concurrently, which also released the claim.
        }
    }

    [System.Diagnostics.CodeAnalysis.SuppressMessage("Usage", "CA1816", Justification = "The finalizer has to run after Dispose: it alone frees the memory.")]
    public override void Dispose()
    {
        if (!_file.IsClosed)
        {
            // Release the lock explicitly, because the mapping keeps the file open, and with it the lock, until the finalizer has run.
            RangeLock.Release(_file, RangeLock.Alive);
        }
        _file.Dispose();
    }

    /// <summary>
    /// Maps the file. After a truncation, maps the file again at the same address, because other threads read from that address.
    /// </summary>
    private void Map()
    {
        bool isFirst = _view == null;
        int flags = isFirst ? NativeMethods.MapShared : NativeMethods.MapShared | NativeMethods.MapFixed;
        nint view = NativeMethods.Map((nint)_view, Bytes, NativeMethods.ProtectReadWrite, flags, _descriptor, 0);
        if (view == -1)
        {
            throw new IOException($"The file {Path} cannot be mapped into memory: {Marshal.GetLastPInvokeErrorMessage()}");
        }
        if (isFirst)
        {
            TruncationGuard.Add(view);
            _view = (byte*)view;
            _queue = new WriterQueue(_view);
        }
    }
}
