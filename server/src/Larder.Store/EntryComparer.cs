namespace Larder.Store;

/// <summary>Finds entries by probe, so that a lookup allocates nothing.</summary>
internal sealed class EntryComparer : IEqualityComparer<Entry>, IAlternateEqualityComparer<Probe, Entry>
{
    public static EntryComparer Instance { get; } = new();

    public bool Equals(Entry? x, Entry? y) => ReferenceEquals(x, y);

    public int GetHashCode(Entry obj) => (int)(obj.Hash >> 32);

    public bool Equals(Probe alternate, Entry other) =>
        alternate.Hash == other.Hash && ReferenceEquals(alternate.Space, other.Space) && alternate.Key.SequenceEqual(other.Key);

    public int GetHashCode(Probe alternate) => (int)(alternate.Hash >> 32);

    public Entry Create(Probe alternate) => throw new NotSupportedException("Entries are made by their shard.");
}
