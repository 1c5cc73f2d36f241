using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>
/// The visited states, and the move that reached each state first. A state is stored as a 128-bit fingerprint. The probability that any two of 10^7 states
/// share a fingerprint is 10^14 / 2^129, less than 10^-24.
/// </summary>
internal sealed class VisitedStates<TState>
    where TState : unmanaged
{
    private const ulong TagBits = 0xFFFF_FFFF_0000_0000;

    private UInt128[] _prints = new UInt128[1 << 14];
    private int[] _parents = new int[1 << 14];
    private byte[] _moves = new byte[1 << 14];

    // A hash table with open addressing, indexed by the fingerprint's low bits. The upper half of an entry contains 32 other bits of the fingerprint. The lower
    // half contains the state's index plus one.
    private ulong[] _table = new ulong[1 << 16];

    public int Count { get; private set; }

    /// <summary>Adds a state. Returns false if it was visited before.</summary>
    /// <param name="state">The state.</param>
    /// <param name="parent">The index of the state from which it was reached, or -1 for the initial state.</param>
    /// <param name="move">The index of the move that led to this state.</param>
    public bool TryAdd(in TState state, int parent, int move)
    {
        UInt128 print = FingerprintOf(state);
        int mask = _table.Length - 1;
        int at = (int)(ulong)print & mask;
        ulong tag = TagOf(print);
        for (; _table[at] != 0; at = (at + 1) & mask)
        {
            if ((_table[at] & TagBits) == tag && _prints[(int)_table[at] - 1] == print)
            {
                return false;
            }
        }

        if (Count == _prints.Length)
        {
            Array.Resize(ref _prints, 2 * Count);
            Array.Resize(ref _parents, 2 * Count);
            Array.Resize(ref _moves, 2 * Count);
        }

        _prints[Count] = print;
        _parents[Count] = parent;
        _moves[Count] = checked((byte)move);
        _table[at] = tag | (uint)++Count;
        if (2 * Count > _table.Length)
        {
            Grow();
        }

        return true;
    }

    /// <summary>Returns the indexes of the moves that lead from the initial state to a state.</summary>
    public List<int> PathTo(int state)
    {
        List<int> way = [];
        for (; _parents[state] >= 0; state = _parents[state])
        {
            way.Add(_moves[state]);
        }

        way.Reverse();
        return way;
    }

    private void Grow()
    {
        _table = new ulong[2 * _table.Length];
        int mask = _table.Length - 1;
        for (int state = 0; state < Count; state++)
        {
            int at = (int)(ulong)_prints[state] & mask;
            while (_table[at] != 0)
            {
                at = (at + 1) & mask;
            }

            _table[at] = TagOf(_prints[state]) | (uint)(state + 1);
        }
    }

    private static ulong TagOf(UInt128 print) => (ulong)(print >> 64) & TagBits;

    // The hash has two halves of 64 bits. Each step mixes 16 bytes of the state into both halves with folded 64 x 64-bit products. The odd constants are digits
    // of pi.
    private static UInt128 FingerprintOf(in TState state)
    {
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<TState>(in state));
        ReadOnlySpan<UInt128> pairs = MemoryMarshal.Cast<byte, UInt128>(bytes);
        ulong first = 0x243F6A8885A308D3;
        ulong second = 0x13198A2E03707345;
        foreach (UInt128 pair in pairs)
        {
            (first, second) = Step(first, second, (ulong)pair, (ulong)(pair >> 64));
        }

        // The remaining bytes are fewer than a step needs. So the last step reads the last two words of the state, which may include bytes that an earlier step
        // has read.
        (first, second) = Step(first, second, WordAt(bytes, Math.Max(0, bytes.Length - 16)), WordAt(bytes, bytes.Length - 8));
        return new UInt128(Fold(first, 0x452821E638D01377), Fold(second, 0xBE5466CF34E90C6D));
    }

    private static (ulong First, ulong Second) Step(ulong first, ulong second, ulong low, ulong high) =>
        (Fold(first ^ low, high ^ 0xA4093822299F31D1) + high, Fold(second ^ high, low ^ 0x082EFA98EC4E6C89) + low);

    private static ulong WordAt(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);

    private static ulong Fold(ulong a, ulong b)
    {
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }
}
