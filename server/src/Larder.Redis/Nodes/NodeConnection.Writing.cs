using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire;

namespace Larder.Redis;

/// <content>
/// Sends the queued commands. Only one thread at a time is the writer. The writer swaps the two buffers and sends the filled one. It repeats these steps until
/// no commands were added during the last send.
/// </content>
internal sealed partial class NodeConnection
{
    // The initial size of each of the two buffers: enough for a thousand small commands.
    private const int KeptBytes = 64 * 1024;

    // The size at which the buffer is sent without waiting for the flush. More data would not make the send more efficient.
    private const int ReadyBytes = 32 * 1024;

    private readonly Action _onWritten;
    private PooledBuffer _filling = new(KeptBytes);
    private PooledBuffer _writing = new(KeptBytes);
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _writeAwaiter;
    private bool _isWriting;
    private bool _areBuffersBack;

    // The number of commands, counted since the connection was created, that may have been sent.
    private long _handed;

    /// <summary>Sends the queued commands. This method does not wait for a slow socket.</summary>
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

    // Returns true if the caller must call <c>Drain</c> after releasing the lock. The caller must hold the lock.
    private bool ClaimWriter()
    {
        if (_isWriting || _state != State.Open || _filling.Written == 0)
        {
            return false;
        }

        _isWriting = true;
        return true;
    }

    // Called only by the thread that became the writer.
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

    // Swaps the buffers. Returns false if there is nothing to write. In this case, the thread is no longer the writer.
    private bool TrySwap()
    {
        lock (_lock)
        {
            if (_state != State.Open || _filling.Written == 0)
            {
                _isWriting = false;
                ReturnBuffers();
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
            ReturnBuffers();
        }

        Close(error);
    }

    // Releases the buffers if the connection is closed and there is no writer. The caller must hold the lock.
    private void ReturnBuffers()
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
