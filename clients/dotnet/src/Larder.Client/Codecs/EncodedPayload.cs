using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>A value while a codec encodes it, so that its limits are checked before the bytes count as written.</summary>
internal readonly ref struct EncodedPayload
{
    private readonly IBufferWriter<byte> _output;
    private readonly int _start;

    /// <summary>Starts a value.</summary>
    /// <param name="output">The destination. A writer that does not expose its content gets the bytes when they are complete.</param>
    public EncodedPayload(IBufferWriter<byte> output)
    {
        _output = output;
        Writer = output as ArrayBufferWriter<byte> ?? new ArrayBufferWriter<byte>();
        _start = Writer.WrittenCount;
    }

    /// <summary>Gets the writer for the codec.</summary>
    public ArrayBufferWriter<byte> Writer { get; }

    /// <summary>Gets the bytes of this value so far.</summary>
    public ReadOnlySpan<byte> Written => Writer.WrittenSpan[_start..];

    /// <summary>Completes the value.</summary>
    /// <param name="excess">The limit that the value exceeds, or null.</param>
    /// <exception cref="ArgumentException">The value exceeds a limit.</exception>
    public void Complete(string? excess)
    {
        if (excess is not null)
        {
            throw new ArgumentException($"{excess} It could not be decoded later.");
        }

        if (!ReferenceEquals(Writer, _output))
        {
            _output.Write(Written);
        }
    }
}
