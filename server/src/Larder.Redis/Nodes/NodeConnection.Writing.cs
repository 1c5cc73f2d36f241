using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire;

namespace Larder.Redis;

/// <content>Writing. One writer at a time swaps the filling buffer with the other and hands that to the socket, until nothing was added meanwhile.</content>
internal sealed partial class NodeConnection
{
    // Each of the two buffers: what a thousand small commands take at once.
    private const int KeptBytes = 64 * 1024;

    // More than a segment or two gains nothing by waiting for the flush.
    private const int ReadyBytes = 32 * 1024;

    private readonly Action _onWritten;
    private PooledBuffer _filling = new(KeptBytes);
    private PooledBuffer _writing = new(KeptBytes);
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _writeAwaiter;
    private bool _isWriting;
    private bool _areBuffersBack;

    // Commands before this number may have been sent.
    private long _handed;

    /// <summary>Lets travel what was put on it. A socket that takes no more is not waited for.</summary>
    public void Flush()
    {
        bool writes;
        lock (_lock)
        {
            writes = ClaimWriter();
        }

        if (writes)
        {
            Drain();
        }
    }

    // Under the lock. True where the caller must write once it has left the lock.
    private bool ClaimWriter()
    {
        if (_isWriting || _state != State.Open || _filling.Written == 0)
        {
            return false;
        }

        _isWriting = true;
        return true;
    }

    // Only who claimed the writer runs it.
    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept and asked once, here or by OnWritten.")]
    private void Drain()
    {
        try
        {
            while (TrySwap())
            {
                ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter =
                    _transport!.SendAsync(_writing.WrittenMemory).ConfigureAwait(false).GetAwaiter();
                if (!awaiter.IsCompleted)
                {
                    _writeAwaiter = awaiter;
                    awaiter.UnsafeOnCompleted(_onWritten);
                    return;
                }

                awaiter.GetResult();
                _writing.Reset(KeptBytes);
            }
        }
        catch (Exception error) when (IsTransport(error))
        {
            StopWriting(error);
        }
    }

    private void OnWritten()
    {
        try
        {
            _writeAwaiter.GetResult();
            _writing.Reset(KeptBytes);
        }
        catch (Exception error) when (IsTransport(error))
        {
            StopWriting(error);
            return;
        }

        Drain();
    }

    // False where there is nothing to write: the writer then sleeps.
    private bool TrySwap()
    {
        lock (_lock)
        {
            if (_state != State.Open || _filling.Written == 0)
            {
                _isWriting = false;
                GiveBuffersBack();
                return false;
            }

            (_filling, _writing) = (_writing, _filling);
            _handed = _expected.Added;
            return true;
        }
    }

    private void StopWriting(Exception error)
    {
        lock (_lock)
        {
            _isWriting = false;
            GiveBuffersBack();
        }

        Close(error);
    }

    // Under the lock: once nothing more is put on it, and its writer sleeps.
    private void GiveBuffersBack()
    {
        if (_state == State.Closed && !_isWriting && !_areBuffersBack)
        {
            _areBuffersBack = true;
            _filling.Dispose();
            _writing.Dispose();
        }
    }

    private static bool IsTransport(Exception error) =>
        error is IOException or ObjectDisposedException or System.Net.Sockets.SocketException or OperationCanceledException;
}
