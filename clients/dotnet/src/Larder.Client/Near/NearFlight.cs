namespace Larder.Client.Near;

/// <summary>The near gets of one key that are in flight. One object for all of them: what poisons them is one number, however many they are.</summary>
internal sealed class NearFlight
{
    public NearFlight(in NearKey key)
    {
        Hash = key.Hash;
        Cache = key.Cache;
        Key = key.Bytes.ToArray();
    }

    public int Hash { get; }

    public string Cache { get; }

    public byte[] Key { get; }

    /// <summary>How many there are.</summary>
    public int Count { get; set; }

    /// <summary>Those that began before this number came are poisoned.</summary>
    public long PoisonedAt { get; set; }

    /// <summary>The next of its bucket: <see cref="NearFlights"/>' own.</summary>
    public NearFlight? Next { get; set; }
}
