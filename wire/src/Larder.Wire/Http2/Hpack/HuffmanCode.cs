namespace Larder.Wire.Http2.Hpack;

/// <summary>
/// The Huffman code of RFC 7541, appendix B. The code is canonical, which means that codes of the same length are consecutive, in the order of their symbols.
/// So the lengths alone define the code.
/// </summary>
internal static class HuffmanCode
{
    private const int Symbols = 257;
    private const int EndOfString = 256;
    private const int ShortestBits = 5;
    private const int LongestBits = 30;

    // The length of each symbol's code: the column "len in bits" of appendix B. The symbols are 0 to 255 and end of string.
    private static ReadOnlySpan<byte> Lengths =>
    [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
        30,
    ];

    // For each length: the first code with this length, the number of such codes, and the index of their first symbol in SymbolsInOrder.
    private static readonly uint[] FirstCode = new uint[LongestBits + 1];
    private static readonly int[] Count = new int[LongestBits + 1];
    private static readonly int[] FirstSymbol = new int[LongestBits + 1];
    private static readonly ushort[] SymbolsInOrder = new ushort[Symbols];

    static HuffmanCode()
    {
        uint code = 0;
        int placed = 0;
        for (int bits = ShortestBits; bits <= LongestBits; bits++)
        {
            FirstCode[bits] = code;
            FirstSymbol[bits] = placed;
            for (int symbol = 0; symbol < Symbols; symbol++)
            {
                if (Lengths[symbol] == bits)
                {
                    SymbolsInOrder[placed++] = (ushort)symbol;
                }
            }

            Count[bits] = placed - FirstSymbol[bits];
            code = (code + (uint)Count[bits]) << 1;
        }
    }

    /// <summary>Returns the maximum decoded size of <paramref name="encodedBytes"/> bytes. The shortest code has five bits.</summary>
    public static int DecodedBytesLimit(int encodedBytes) => encodedBytes * 8 / ShortestBits;

    /// <summary>
    /// Decodes a string and returns the number of bytes written. Decoding bit by bit is fast enough, because repeated fields are indexed and
    /// therefore seldom decoded.
    /// </summary>
    /// <exception cref="Http2ConnectionException">The padding is invalid, or the string contains the end-of-string symbol.</exception>
    public static int Decode(ReadOnlySpan<byte> encoded, Span<byte> destination)
    {
        int written = 0;
        uint code = 0;
        int bits = 0;
        foreach (byte next in encoded)
        {
            for (int bit = 7; bit >= 0; bit--)
            {
                code = (code << 1) | (uint)((next >> bit) & 1);
                if (++bits < ShortestBits || code - FirstCode[bits] >= (uint)Count[bits])
                {
                    continue;
                }

                int symbol = SymbolsInOrder[FirstSymbol[bits] + (int)(code - FirstCode[bits])];
                if (symbol == EndOfString)
                {
                    throw Http2ConnectionException.Compression("a Huffman-coded string contains the end-of-string symbol");
                }

                destination[written++] = (byte)symbol;
                code = 0;
                bits = 0;
            }
        }

        // RFC 7541, section 5.2: the remainder must have fewer than eight bits, and all of them must be ones.
        if (bits > 7 || code != (1u << bits) - 1)
        {
            throw Http2ConnectionException.Compression("a Huffman-coded string has invalid padding");
        }

        return written;
    }
}
