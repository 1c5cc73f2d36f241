using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Tests with a valid stream that is split at every position, with a stream in which some bytes were replaced, and with random bytes.</summary>
public sealed class RespFuzzTests
{
    private const string Good = "+OK\r\n$5\r\nab\r\nc\r\n*2\r\n*1\r\n:1\r\n$-1\r\n%1\r\n+a\r\n~2\r\n:1\r\n,2.5\r\n>2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n"
        + "|1\r\n+ttl\r\n:1\r\n(123456789012345678901234567890\r\n!9\r\nERR wrong\r\n=7\r\ntxt:abc\r\n#t\r\n_\r\n-MOVED 1 h:1\r\n*0\r\n";

    private static readonly string[] s_texts = Read([Encoding.Latin1.GetBytes(Good)]);

    [Fact]
    public void Stream_split_at_any_byte_yields_same_values()
    {
        byte[] bytes = Encoding.Latin1.GetBytes(Good);
        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            Assert.Equal(s_texts, Read([bytes[..cut], bytes[cut..]]));
        }

        Assert.Equal(s_texts, Read([.. bytes.Select(static one => new[] { one })]));
    }

    [Fact]
    public void Mutated_stream_is_parsed_or_rejected()
    {
        Random random = new(20260901);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] bytes = Encoding.Latin1.GetBytes(Good);
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                bytes[random.Next(bytes.Length)] = random.Next(3) == 0 ? (byte)random.Next(256) : (byte)"\r\n$*%~>|:0123456789-+#_,(!="[random.Next(26)];
            }

            try
            {
                Read([bytes]);
            }
            catch (InvalidDataException)
            {
                // The reader rejected the data, which is allowed.
            }
        }
    }

    [Fact]
    public void Random_bytes_are_rejected_or_incomplete()
    {
        Random random = new(1);
        byte[] noise = new byte[256];
        for (int round = 0; round < 20_000; round++)
        {
            random.NextBytes(noise);
            try
            {
                Read([noise]);
            }
            catch (InvalidDataException)
            {
                // The reader rejected the data, which is allowed.
            }
        }
    }

    // Returns all complete values as text, including all nested values.
    private static string[] Read(IEnumerable<byte[]> pieces)
    {
        using ReplyInput input = new(mostBytes: 1 << 20);
        List<string> texts = [];
        foreach (byte[] piece in pieces)
        {
            piece.CopyTo(input.Room());
            input.Received(piece.Length);
            while (input.TryTake(out Range value))
            {
                RespReader reader = new(input.At(value));
                StringBuilder text = new(input.IsPush ? "push " : "");
                do
                {
                    text.Append(reader.Kind).Append(' ').Append(Encoding.Latin1.GetString(reader.Bytes)).Append(' ').Append(reader.Count).Append(';');
                    reader.TryGetInteger(out _);
                    reader.TryGetDouble(out _);
                }
                while (reader.Read());
                texts.Add(text.ToString());
            }
        }

        return [.. texts];
    }
}
