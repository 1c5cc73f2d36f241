using System.Text;

namespace Larder.Wire;

/// <summary>
/// Encodes and decodes <c>grpc-message</c>. The encoding is UTF-8 in which each byte outside printable ASCII, and the percent sign itself, is written as
/// <c>%XX</c>.
/// </summary>
internal static class StatusMessage
{
    /// <summary>Encodes <paramref name="message"/>. If no character needs encoding, returns <paramref name="message"/> itself.</summary>
    public static string Encode(string message)
    {
        foreach (char next in message)
        {
            if (!IsPlain(next))
            {
                return EncodeSlow(message);
            }
        }

        return message;
    }

    /// <summary>Decodes a message. As the specification requires, an invalid percent escape is kept as it is, so no message is lost.</summary>
    public static string Decode(string encoded)
    {
        int firstPercent = encoded.IndexOf('%', StringComparison.Ordinal);
        return firstPercent < 0 ? encoded : DecodeSlow(encoded);
    }

    private static bool IsPlain(char c) => c is >= ' ' and <= '~' and not '%';

    private static string EncodeSlow(string message)
    {
        StringBuilder encoded = new(message.Length * 3);
        foreach (byte next in Encoding.UTF8.GetBytes(message))
        {
            if (IsPlain((char)next))
            {
                encoded.Append((char)next);
            }
            else
            {
                encoded.Append('%').Append(HexDigit(next >> 4)).Append(HexDigit(next & 0xF));
            }
        }

        return encoded.ToString();
    }

    private static string DecodeSlow(string encoded)
    {
        byte[] source = Encoding.UTF8.GetBytes(encoded);
        byte[] decoded = new byte[source.Length];
        int written = 0;
        for (int index = 0; index < source.Length; index++)
        {
            if (source[index] == '%' && TryReadByte(source, index + 1, out byte value))
            {
                decoded[written++] = value;
                index += 2;
            }
            else
            {
                decoded[written++] = source[index];
            }
        }

        return Encoding.UTF8.GetString(decoded, 0, written);
    }

    private static bool TryReadByte(byte[] source, int index, out byte value)
    {
        value = 0;
        if (index + 1 >= source.Length || !char.IsAsciiHexDigit((char)source[index]) || !char.IsAsciiHexDigit((char)source[index + 1]))
        {
            return false;
        }

        value = (byte)((Nibble(source[index]) << 4) | Nibble(source[index + 1]));
        return true;
    }

    private static char HexDigit(int nibble) => (char)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10);

    private static int Nibble(byte digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
}
