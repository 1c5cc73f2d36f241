using System.Runtime.CompilerServices;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// A bidirectional call as bytes: the caller writes and reads whole frames (five bytes of header, and the message) itself.
/// One writer and one reader at a time, which may be different threads. It may live for days.
/// </summary>
public sealed class DuplexCall : IAsyncDisposable
{
    private readonly StreamingStream _stream;

    internal DuplexCall(StreamingStream stream) => _stream = stream;

    /// <summary>Sends frames; waits while the server's window or the connection is full. They travel with <see cref="FlushAsync"/> at the latest.</summary>
    /// <exception cref="RpcException">The stream is broken.</exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> frames, CancellationToken cancellationToken)
    {
        ValueTask write = _stream.WriteAsync(frames, cancellationToken);
        return write.IsCompletedSuccessfully ? default : WriteAsync(write, cancellationToken);
    }

    /// <summary>Lets what was written travel now.</summary>
    /// <exception cref="RpcException">The stream is broken.</exception>
    public ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _stream.Flush();
        return default;
    }

    /// <summary>Reads what has arrived, at least one byte; 0 when the server has ended the stream with OK.</summary>
    /// <exception cref="RpcException">The server ended the stream with another status, or the stream is broken.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        try
        {
            return await _stream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException error)
        {
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }

    /// <summary>Hands all that arrives to <paramref name="receiver"/> from now on, in place of <see cref="ReadAsync"/>. Called once.</summary>
    public void Receive(IDuplexReceiver receiver)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        _stream.Receive(receiver);
    }

    /// <summary>
    /// Leaves work to the end of the waking of callers that this thread is at: work that serves them all, such as writing what they ask for next. False where
    /// it is at none; the work is then the caller's to run, on the thread pool.
    /// </summary>
    public static bool TryDefer(IThreadPoolWorkItem work) => CompletionBatch.TryDefer(work);

    /// <summary>Says that nothing more will be written; reading goes on until the server ends its side.</summary>
    public void CompleteWriting() => _stream.CompleteWriting();

    /// <summary>Gives the call up if it has not ended: the server sees it cancelled.</summary>
    public ValueTask DisposeAsync()
    {
        _stream.Release();
        return default;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask WriteAsync(ValueTask write, CancellationToken cancellationToken)
    {
        try
        {
            await write.ConfigureAwait(false);
        }
        catch (OperationCanceledException error)
        {
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }
}
