using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// <c>NAME.jsonl.idx</c>, 4096 bytes shared by the processes of one machine through a mapping; always rebuildable from the log.
/// Its descriptor carries the write lock (flock). It is never truncated after creation: that would kill every process that maps it.
/// </summary>
/// <remarks>
/// The layout, little endian: 0 magic and version · 8 id of the log · 16 boot identity · 24 the sidecar's own number ·
/// 64 the committed word · 128 dirty · 132 process id of the last holder of the lock · 192 the compactor's claim (generation, upper 32 bits; uptime in seconds, lower).
/// The memory is unmapped by the finalizer alone, so that a read in progress on another thread never meets unmapped memory.
/// </remarks>
internal sealed unsafe class Sidecar : Coordinator
{
    internal const int Bytes = 4096;

    /// <summary>A compactor that has not finished for so long is taken for dead.</summary>
    private const int ClaimSeconds = 30;

    /// <summary>"LRDRIDX" and version 1.</summary>
    private const long Magic = 0x01_58_44_49_52_44_52_4C;
    private readonly SafeFileHandle _file;
    private readonly int _descriptor;
    private readonly string? _openedAs;
    private byte* _view;

    private Sidecar(string path, SafeFileHandle file)
    {
        Path = path;
        _file = file;
        _descriptor = (int)file.DangerousGetHandle();
        _openedAs = OpenFile.NameNow(file);
    }

    ~Sidecar()
    {
        if (_view != null)
        {
            _ = NativeMethods.Unmap((nint)_view, Bytes);
        }
    }

    internal string Path { get; }

    internal override long* CommittedWord => (long*)(_view + 64);

    internal override bool IsPolled => false;

    internal override ulong LogId { get => *(ulong*)(_view + 8); set => *(ulong*)(_view + 8) = value; }

    internal override bool StillHeld => true;

    internal override string Holder => $"process {Volatile.Read(ref HolderId)}";

    private ref long Claim => ref *(long*)(_view + 192);

    private ref int HolderId => ref *(int*)(_view + 132);

    internal override bool Dirty
    {
        get => Volatile.Read(ref *(int*)(_view + 128)) != 0;
        set => Volatile.Write(ref *(int*)(_view + 128), value ? 1 : 0);
    }

    internal override bool IsOfThisBoot => _view != null && *(long*)_view == Magic && *(long*)(_view + 16) == BootIdentity.Current;

    /// <summary>Opens or creates the file and maps it if it has its full size; else <see cref="InitialiseIfOutdated"/> has to follow under the lock.</summary>
    internal static Sidecar Open(string path)
    {
        SafeFileHandle? file = OpenFile.Try(path);
        if (file is null)
        {
            OpenFile.Create(path);
            file = OpenFile.Try(path) ?? throw new IOException($"The file {path} vanished while it was opened.");
        }
        Sidecar sidecar = new(path, file);
        if (RandomAccess.GetLength(file) >= Bytes)
        {
            sidecar.Map();
        }
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

    internal override void Unlock() => NativeMethods.FileLock(_descriptor, NativeMethods.LockRelease);

    /// <summary>Gives a new file its size, by writing it so that a full disk shows here and not as a fault of the mapping.</summary>
    private void Size()
    {
        if (_view == null)
        {
            long length = RandomAccess.GetLength(_file);
            if (length < Bytes)
            {
                RandomAccess.Write(_file, new byte[Bytes - length], length);
            }
            Map();
        }
        if (*(long*)_view != Magic && new ReadOnlySpan<byte>(_view, Bytes).ContainsAnyExcept((byte)0))
        {
            throw new DistributedFileStoreCacheException(
                $"The file {Path} was not written by this library. Move it away, or choose another cache file name.");
        }
    }

    internal override bool InitialiseIfOutdated()
    {
        // Another process may have made it ready since it was opened here.
        Size();
        if (IsOfThisBoot)
        {
            return false;
        }
        Dirty = true;
        Volatile.Write(ref Committed, 0);
        Volatile.Write(ref Claim, 0);
        *(long*)(_view + 24) = Random.Shared.NextInt64();
        *(long*)(_view + 16) = BootIdentity.Current;
        Volatile.Write(ref *(long*)_view, Magic);
        return true;
    }

    internal override bool IsAtPath => OpenFile.IsStill(_file, _openedAs, Path);

    internal override bool TryClaimCompaction(long generation)
    {
        long uptime = Environment.TickCount64 / 1000;
        long claim = Volatile.Read(ref Claim);
        bool isYoung = uptime - (claim & uint.MaxValue) < ClaimSeconds;
        return !(claim >> 32 == generation && isYoung)
            && Interlocked.CompareExchange(ref Claim, generation << 32 | (uptime & uint.MaxValue), claim) == claim;
    }

    internal override void ReleaseCompaction() => Volatile.Write(ref Claim, 0);

    [System.Diagnostics.CodeAnalysis.SuppressMessage("Usage", "CA1816", Justification = "The finalizer has to run after Dispose: it alone frees the memory.")]
    public override void Dispose() => _file.Dispose();

    private void Map()
    {
        nint view = NativeMethods.Map(0, Bytes, NativeMethods.ProtectReadWrite, NativeMethods.MapShared, _descriptor, 0);
        if (view == -1)
        {
            throw new IOException($"The file {Path} cannot be mapped into memory: {Marshal.GetLastPInvokeErrorMessage()}");
        }
        _view = (byte*)view;
    }
}
