namespace Larder.Store.Bench.FirstEngine;

/// <summary>Compares entries with probes, so that a lookup allocates nothing.</summary>
internal sealed class FirstEntryComparer : IEqualityComparer<FirstEntry>, IAlternateEqualityComparer<FirstProbe, FirstEntry>
{
    public static FirstEntryComparer Instance { get; } = new();

    public bool Equals(FirstEntry? x, FirstEntry? y) => ReferenceEquals(x, y);

    public int GetHashCode(FirstEntry obj) => (int)(obj.Hash >> 32);

    public bool Equals(FirstProbe alternate, FirstEntry other) =>
        alternate.Hash == other.Hash && alternate.Key.SequenceEqual(other.Key);

    public int GetHashCode(FirstProbe alternate) => (int)(alternate.Hash >> 32);

    public FirstEntry Create(FirstProbe alternate) => throw new NotSupportedException("Entries are made by their shard.");
}
