using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;

namespace Larder.Wire;

/// <summary>A request body of one message, encoded once with its header; used again by one call after another.</summary>
internal sealed class FrameContent : HttpContent
{
    // Written in one piece; a larger array than this is not kept between calls.
    private const int KeptBytes = 16 * 1024;
    private const int FirstBytes = 512;

    private readonly PooledBuffer _frame = new(FirstBytes);
    private int _sending;

    public FrameContent() => Headers.TryAddWithoutValidation("content-type", "application/grpc");

    /// <summary>False while the HTTP stack may still read the frame: it must then not be used again.</summary>
    public bool IsIdle => Volatile.Read(ref _sending) == 0;

    public void Set<T>(MessageCodec<T> codec, T message)
    {
        _frame.Reset(KeptBytes);
        int length = codec.Measure(message);
        FrameHeader.Write(_frame.GetSpan(FrameHeader.Size + length), length);
        _frame.Advance(FrameHeader.Size);
        codec.Encode(message, _frame);
        if (_frame.Written != FrameHeader.Size + length)
        {
            throw new InvalidOperationException($"The codec of {typeof(T)} measured {length} bytes and wrote {_frame.Written - FrameHeader.Size}.");
        }
    }

    /// <summary>A message without a byte.</summary>
    public void SetEmpty()
    {
        _frame.Reset(KeptBytes);
        FrameHeader.Write(_frame.GetSpan(FrameHeader.Size), 0);
        _frame.Advance(FrameHeader.Size);
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _sending);
        ValueTask write = stream.WriteAsync(_frame.WrittenMemory, cancellationToken);
        if (!write.IsCompletedSuccessfully)
        {
            return AwaitAsync(write);
        }

        write.GetAwaiter().GetResult();
        Interlocked.Decrement(ref _sending);
        return Task.CompletedTask;
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void Dispose(bool disposing)
    {
        // A frame that may still be read is left to the collector.
        if (disposing && IsIdle)
        {
            _frame.Dispose();
        }

        base.Dispose(disposing);
    }

    private async Task AwaitAsync(ValueTask write)
    {
        try
        {
            await write.ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _sending);
        }
    }
}
