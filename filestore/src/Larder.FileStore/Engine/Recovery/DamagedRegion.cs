using System.Numerics;
using System.Text;

namespace Larder.FileStore.Engine;

/// <summary>
/// Identifies the keys of a damaged region of the file, so that a damaged entry becomes a miss and no older value of its key reappears. A single flipped bit is
/// located through the linearity of the checksum. Otherwise the keys are read from the remaining text.
/// </summary>
internal static class DamagedRegion
{
    private const int TrailerBytes = RecordBuffer.TrailerBytes - 1;

    /// <summary>
    /// The maximum length of a line that is searched for a flipped bit. The search takes 8 steps per byte, so it would be slow for longer lines.
    /// </summary>
    private const int MaxCorrectedBytes = 1 << 20;

    /// <summary>
    /// Splits <paramref name="region"/> (without its last line feed). <paramref name="intact"/> receives the lines of which only the separator was damaged.
    /// <paramref name="lost"/> receives the operations of damaged lines; the effect of each of these operations must be undone.
    /// </summary>
    internal static void Identify(ReadOnlySpan<byte> region, List<byte[]> intact, List<Operation> lost)
    {
        if (CorrectOneBit(region) is { } whole)
        {
            Collect(whole, lost);
            return;
        }
        int feed = SplitAtDamagedFeed(region);
        if (feed >= 0)
        {
            intact.Add(region[..feed].ToArray());
            IdentifyRest(region[(feed + 1)..], intact, lost);
            return;
        }
        int end = region.IndexOf((byte)'\n');
        if (end >= 0)
        {
            Identify(region[..end], intact, lost);
            IdentifyRest(region[(end + 1)..], intact, lost);
            return;
        }
        CollectKeys(region, lost);
    }

    private static void IdentifyRest(ReadOnlySpan<byte> rest, List<byte[]> intact, List<Operation> lost)
    {
        if (RecordReader.TryOpen(rest, out _))
        {
            intact.Add(rest.ToArray());
        }
        else if (rest.Length > 0)
        {
            Identify(rest, intact, lost);
        }
    }

    /// <summary>Returns the line with its single damaged bit corrected; null if more bits are damaged.</summary>
    internal static byte[]? CorrectOneBit(ReadOnlySpan<byte> line)
    {
        int body = line.Length - TrailerBytes;
        if (body < 2 || line.Length > MaxCorrectedBytes)
        {
            return null;
        }
        uint actual = Crc.Of(line[..body]);
        Span<byte> expected = stackalloc byte[TrailerBytes];
        ",\"c\":\""u8.CopyTo(expected);
        Crc.WriteHex(actual, expected[6..]);
        "\"}"u8.CopyTo(expected[14..]);
        if (BitsApart(expected, line[body..]) <= 1)
        {
            byte[] mended = line.ToArray();
            expected.CopyTo(mended.AsSpan(body));
            return mended;
        }
        return Crc.TryReadHex(line.Slice(body + 6, 8), out uint stored) ? FlipIn(line, body, actual ^ stored) : null;
    }

    /// <summary>Searches for the bit of the body whose flip changes the checksum by <paramref name="syndrome"/>.</summary>
    private static byte[]? FlipIn(ReadOnlySpan<byte> line, int body, uint syndrome)
    {
        Span<uint> contribution = stackalloc uint[8];
        for (int bit = 0; bit < 8; bit++)
        {
            contribution[bit] = BitOperations.Crc32C(0u, (byte)(1 << bit));
        }
        for (int at = body - 1; at >= 0; at--)
        {
            int bit = contribution.IndexOf(syndrome);
            if (bit >= 0)
            {
                byte[] mended = line.ToArray();
                mended[at] ^= (byte)(1 << bit);
                return mended;
            }
            for (bit = 0; bit < 8; bit++)
            {
                contribution[bit] = BitOperations.Crc32C(contribution[bit], (byte)0);
            }
        }
        return null;
    }

    private static int BitsApart(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        int bits = 0;
        for (int i = 0; i < left.Length; i++)
        {
            bits += BitOperations.PopCount((uint)(left[i] ^ right[i]));
        }
        return bits;
    }

    /// <summary>Returns the position of a line feed that has a flipped bit and follows a valid line, or -1 if no position matches.</summary>
    private static int SplitAtDamagedFeed(ReadOnlySpan<byte> region)
    {
        for (int from = 0; from < region.Length;)
        {
            int found = region[from..].IndexOf(",\"c\":\""u8);
            int feed = from + found + TrailerBytes;
            if (found < 0 || feed >= region.Length)
            {
                return -1;
            }
            if (BitOperations.IsPow2(region[feed] ^ (byte)'\n') && RecordReader.TryOpen(region[..feed], out _))
            {
                return feed;
            }
            from += found + 1;
        }
        return -1;
    }

    private static void Collect(ReadOnlySpan<byte> line, List<Operation> lost)
    {
        if (RecordReader.TryOpen(line, out RecordReader reader))
        {
            while (reader.Next(out Operation operation))
            {
                lost.Add(operation);
            }
        }
    }

    private static void CollectKeys(ReadOnlySpan<byte> piece, List<Operation> lost)
    {
        foreach (string name in (ReadOnlySpan<string>)["\"k\":\"", "\"d\":\"", "\"t\":\""])
        {
            byte[] pattern = Encoding.ASCII.GetBytes(name);
            ReadOnlySpan<byte> rest = piece;
            for (int at = rest.IndexOf(pattern); at >= 0; at = rest.IndexOf(pattern))
            {
                rest = rest[(at + pattern.Length)..];
                int end = rest.IndexOf((byte)'"');
                if (end < 0)
                {
                    break;
                }
                lost.Add(new Operation { Kind = OperationKind.Remove, Key = JsonText.Read(rest[..end]) });
            }
        }
    }
}
