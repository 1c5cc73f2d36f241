using System.Net.Http;
using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// A bidirectional call as bytes: the caller writes and reads whole frames (five bytes of header, and the message) itself.
/// One writer and one reader at a time, which may be different threads. It may live for days.
/// </summary>
public sealed class DuplexCall : IAsyncDisposable
{
    private readonly HttpRequestMessage _request;
    private readonly DuplexContent _content;
    private readonly HttpResponseMessage _response;
    private readonly Stream _output;
    private readonly Stream _input;
    private readonly CancellationTokenSource _cancellation;

    internal DuplexCall(HttpRequestMessage request, DuplexContent content, HttpResponseMessage response, Stream output, Stream input, CancellationTokenSource cancellation)
    {
        _request = request;
        _content = content;
        _response = response;
        _output = output;
        _input = input;
        _cancellation = cancellation;
    }

    /// <summary>Sends frames. Await it before <see cref="FlushAsync"/>: a flush that overlaps a write loses its tail.</summary>
    /// <exception cref="RpcException">The stream is broken.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> frames, CancellationToken cancellationToken)
    {
        try
        {
            await _output.WriteAsync(frames, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (IsTransport(error))
        {
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }

    /// <summary>Lets what was written travel now.</summary>
    /// <exception cref="RpcException">The stream is broken.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _output.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (IsTransport(error))
        {
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }

    /// <summary>Reads what has arrived, at least one byte; 0 when the server has ended the stream with OK.</summary>
    /// <exception cref="RpcException">The server ended the stream with another status, or the stream is broken.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        try
        {
            int read = await _input.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
            if (read == 0 && buffer.Length > 0)
            {
                ResponseStatus.CheckTrailers(_response);
            }

            return read;
        }
        catch (Exception error) when (IsTransport(error))
        {
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }

    /// <summary>Says that nothing more will be written; reading goes on until the server ends its side.</summary>
    public void CompleteWriting() => _content.Complete();

    /// <summary>Gives the call up if it has not ended: the server sees it cancelled.</summary>
    public async ValueTask DisposeAsync()
    {
        await _cancellation.CancelAsync().ConfigureAwait(false);
        _content.Complete();
        await _input.DisposeAsync().ConfigureAwait(false);
        _response.Dispose();
        _request.Dispose();
        _cancellation.Dispose();
    }

    private static bool IsTransport(Exception error) =>
        error is HttpRequestException or IOException or OperationCanceledException or ObjectDisposedException;
}
