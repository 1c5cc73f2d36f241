namespace Larder.Store.Bench;

/// <summary>The expected content of a key as a plain .NET collection. Each element is represented by the number of its name.</summary>
internal sealed class CollectionState(CollectionNames names)
{
    /// <summary>The type; null if the key is missing.</summary>
    public ItemType? Type { get; set; }

    public long ExpiresAtMs { get; set; }

    public byte[] Scalar { get; set; } = [];

    public Dictionary<int, byte[]> Fields { get; } = [];

    public HashSet<int> Members { get; } = [];

    public List<int> Items { get; } = [];

    public Dictionary<int, double> Scores { get; } = [];

    /// <summary>The members of a sorted set, in order.</summary>
    public List<int> Order { get; } = [];

    public int Count => Fields.Count + Members.Count + Items.Count + Scores.Count;

    public void Clear()
    {
        Type = null;
        Fields.Clear();
        Members.Clear();
        Items.Clear();
        Scores.Clear();
        Order.Clear();
    }

    public void ClearIfEmpty()
    {
        if (Count == 0)
        {
            Clear();
        }
    }

    public void Put(int member, double score)
    {
        Take(member);
        Order.Insert(PlaceOf(member, score), member);
        Scores[member] = score + 0.0;
    }

    public void Take(int member)
    {
        if (Scores.TryGetValue(member, out double score))
        {
            Order.RemoveAt(PlaceOf(member, score));
            Scores.Remove(member);
        }
    }

    /// <summary>Returns the number of members before this position in the sort order.</summary>
    public int PlaceOf(int member, double score)
    {
        int low = 0;
        int high = Order.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            double other = Scores[Order[middle]];
            bool isBefore = other < score || (other == score && names.PlaceOf(Order[middle]) < names.PlaceOf(member));
            (low, high) = isBefore ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
