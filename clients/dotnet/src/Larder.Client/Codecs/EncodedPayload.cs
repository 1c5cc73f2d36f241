using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>What a codec writes, so that its limits can be checked before it counts as written.</summary>
internal readonly ref struct EncodedPayload
{
    private readonly IBufferWriter<byte> _output;
    private readonly int _start;

    /// <summary>Begins a value.</summary>
    /// <param name="output">Where it goes. A writer that does not show what it holds gets the bytes when they are complete.</param>
    public EncodedPayload(IBufferWriter<byte> output)
    {
        _output = output;
        Writer = output as ArrayBufferWriter<byte> ?? new ArrayBufferWriter<byte>();
        _start = Writer.WrittenCount;
    }

    /// <summary>Where the codec writes.</summary>
    public ArrayBufferWriter<byte> Writer { get; }

    /// <summary>The bytes of this value so far.</summary>
    public ReadOnlySpan<byte> Written => Writer.WrittenSpan[_start..];

    /// <summary>Ends the value.</summary>
    /// <param name="excess">The limit that it exceeds; null: none.</param>
    /// <exception cref="ArgumentException">It exceeds a limit.</exception>
    public void Complete(string? excess)
    {
        if (excess is not null)
        {
            throw new ArgumentException($"{excess} It could not be decoded again.");
        }

        if (!ReferenceEquals(Writer, _output))
        {
            _output.Write(Written);
        }
    }
}
