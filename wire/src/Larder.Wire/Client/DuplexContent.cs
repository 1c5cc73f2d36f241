using System.Net;
using System.Net.Http;

namespace Larder.Wire;

/// <summary>A request body that its owner writes for as long as the call lives.</summary>
internal sealed class DuplexContent : HttpContent
{
    private readonly TaskCompletionSource<Stream> _stream = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public DuplexContent() => Headers.TryAddWithoutValidation("content-type", "application/grpc");

    /// <summary>The body, once the HTTP stack is ready for it.</summary>
    public Task<Stream> Body => _stream.Task;

    /// <summary>Ends the body: the server sees the end of the stream.</summary>
    public void Complete() => _written.TrySetResult();

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        // The HTTP stack keeps a request's headers back until something is flushed; a call that opens with nothing to say would wait for
        // the connection's next ping.
        await stream.FlushAsync(cancellationToken).ConfigureAwait(false);

        // A second attempt of the HTTP stack, on another connection, has nothing to send again: what was written went to the first.
        if (!_stream.TrySetResult(stream))
        {
            throw new IOException("The connection was lost while the call was being opened.");
        }

        await _written.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }
}
