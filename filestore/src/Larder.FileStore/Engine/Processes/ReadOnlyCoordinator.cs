using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// The coordinator of a read-only cache. It locks, creates and changes nothing. If the sidecar can be read, its committed word is used only as a signal that
/// the file has changed. Otherwise the file is polled.
/// </summary>
internal unsafe class ReadOnlyCoordinator : Coordinator
{
    private readonly long* _own = (long*)NativeMemory.AllocZeroed(sizeof(long));
    private readonly string _path;
    private readonly bool _isCoherent;
    private readonly SafeFileHandle? _file;
    private readonly FileFacts _facts;
    private readonly byte[] _systemPath;
    private readonly byte* _view;

    /// <param name="path">The path of the sidecar, which may be missing.</param>
    /// <param name="isCoherent">Whether the file system of the sidecar shares memory between processes.</param>
    internal ReadOnlyCoordinator(string path, bool isCoherent)
    {
        (_path, _isCoherent, _systemPath) = (path, isCoherent && !OperatingSystem.IsWindows(), FileFacts.SystemPath(path));
        _file = _isCoherent ? TryOpen(path) : null;
        if (_file is null)
        {
            return;
        }
        nint view = NativeMethods.Map(0, Sidecar.Bytes, NativeMethods.ProtectRead, NativeMethods.MapShared, (int)_file.DangerousGetHandle(), 0);
        _view = view == -1 ? null : (byte*)view;
        _facts = FileFacts.OfOpen(_file);
        if (_view != null)
        {
            TruncationGuard.Add(view);
        }
    }

    ~ReadOnlyCoordinator()
    {
        NativeMemory.Free(_own);
        if (_view != null)
        {
            TruncationGuard.Remove((nint)_view);
            _ = NativeMethods.Unmap((nint)_view, Sidecar.Bytes);
        }
    }

    internal override long* CommittedWord => _own;

    internal override long* SignalWord => _view == null ? _own : (long*)(_view + Sidecar.CommittedAt);

    internal override bool IsPolled => _view == null;

    internal override bool Dirty { get; set; }

    internal override ulong LogId { get; set; }

    internal override bool IsOfThisBoot => false;

    /// <summary>Gets whether the sidecar is unchanged. False if the sidecar was replaced or truncated, or if it was missing and exists now.</summary>
    internal override bool IsAtPath => _view == null
        ? !_isCoherent || !File.Exists(_path)
        : *(long*)_view == Sidecar.Magic && _facts.IsAt(_systemPath);

    internal override bool IsOpenElsewhere => false;

    internal override string Holder => "another process";

    internal override bool StillHeld => false;

    internal override bool TryLock() => false;

    internal override bool TryLockAtOnce() => false;

    internal override bool TryLock(TimeSpan timeout) => false;

    internal override void Unlock()
    {
        // A read-only cache holds no lock.
    }

    internal override void Size()
    {
        // A read-only cache creates no file.
    }

    internal override bool InitialiseIfOutdated() => false;

    internal override bool TryClaimCompaction() => false;

    internal override void ReleaseCompaction()
    {
        // A read-only cache never claims a compaction.
    }

    [System.Diagnostics.CodeAnalysis.SuppressMessage("Usage", "CA1816", Justification = "The finalizer has to run after Dispose: it alone frees the memory.")]
    public override void Dispose() => _file?.Dispose();

    /// <summary>Opens the sidecar for reading. Returns null if the sidecar is missing, too short or not readable.</summary>
    private static SafeFileHandle? TryOpen(string path)
    {
        try
        {
            SafeFileHandle? file = OpenFile.Try(path, toRead: true);
            if (file is null || RandomAccess.GetLength(file) >= Sidecar.Bytes)
            {
                return file;
            }
            file.Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            return null;
        }
    }
}
