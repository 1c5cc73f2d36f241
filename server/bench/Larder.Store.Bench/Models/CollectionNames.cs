using System.Buffers.Binary;

namespace Larder.Store.Bench;

/// <summary>The element names of the collection model, numbered. The names are binary and have various lengths. The first name is empty.</summary>
internal sealed class CollectionNames
{
    private readonly byte[][] _names;
    private readonly int[] _places;
    private readonly Dictionary<ulong, int> _byHash;

    public CollectionNames(int count)
    {
        var random = new Random(21);
        _names = [.. Enumerable.Range(0, count).Select(i => NewName(i, random))];
        int[] order = [.. Enumerable.Range(0, count)];
        Array.Sort(order, (one, other) => _names[one].AsSpan().SequenceCompareTo(_names[other]));
        _places = new int[count];
        for (int i = 0; i < count; i++)
        {
            _places[order[i]] = i;
        }

        _byHash = Enumerable.Range(0, count).ToDictionary(i => KeyHash.Compute(_names[i], 1));
    }

    public int Count => _names.Length;

    public byte[] this[int number] => _names[number];

    /// <summary>Returns the number of a name.</summary>
    public int Find(ReadOnlySpan<byte> name) => _byHash[KeyHash.Compute(name, 1)];

    /// <summary>Returns the position of a name in byte order.</summary>
    public int PlaceOf(int number) => _places[number];

    private static byte[] NewName(int number, Random random)
    {
        byte[] name = new byte[number == 0 ? 0 : 4 + (number % 50 == 0 ? random.Next(1000) : random.Next(20))];
        random.NextBytes(name);
        if (name.Length > 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(name.AsSpan(name.Length - 4), number);
        }

        return name;
    }
}
