using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>Receives the bytes of a value while a codec encodes it. The codec checks the limits before it completes the value.</summary>
internal readonly ref struct EncodedPayload
{
    private readonly IBufferWriter<byte> _output;
    private readonly int _start;

    /// <summary>Starts the encoding of a value.</summary>
    /// <param name="output">
    /// The destination. If it is not an <see cref="ArrayBufferWriter{T}"/>, the bytes are buffered and written to it by <see cref="Complete"/>.
    /// </param>
    public EncodedPayload(IBufferWriter<byte> output)
    {
        _output = output;
        Writer = output as ArrayBufferWriter<byte> ?? new ArrayBufferWriter<byte>();
        _start = Writer.WrittenCount;
    }

    /// <summary>Gets the writer for the codec.</summary>
    public ArrayBufferWriter<byte> Writer { get; }

    /// <summary>Gets the bytes of this value that have been written so far.</summary>
    public ReadOnlySpan<byte> Written => Writer.WrittenSpan[_start..];

    /// <summary>Completes the value, or throws if the value exceeds a limit.</summary>
    /// <param name="excess">The description of the limit that the value exceeds, or null.</param>
    /// <exception cref="ArgumentException">The value exceeds a limit.</exception>
    public void Complete(string? excess)
    {
        if (excess is not null)
        {
            throw new ArgumentException($"{excess} The value cannot be stored, because it could not be decoded later.");
        }

        if (!ReferenceEquals(Writer, _output))
        {
            _output.Write(Written);
        }
    }
}
