using System.Buffers;
using System.Text;

namespace Larder.Client.Codecs;

/// <summary>Encodes text as UTF-8.</summary>
public sealed class TextCodec : IValueCodec<string>
{
    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <inheritdoc/>
    public byte Content => 2;

    /// <inheritdoc/>
    /// <exception cref="EncoderFallbackException">The text is not well-formed Unicode.</exception>
    public void Encode(string value, IBufferWriter<byte> output) => output.Write(s_strict.GetBytes(value));

    /// <inheritdoc/>
    public string Decode(ReadOnlyMemory<byte> payload) => s_strict.GetString(payload.Span);
}
