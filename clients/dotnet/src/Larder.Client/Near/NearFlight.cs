namespace Larder.Client.Near;

/// <summary>
/// All near gets of one key that are in flight. They share this object, so all of them can be poisoned by setting one number. The caller of a poisoned near get
/// still gets the response, but the value is not cached.
/// </summary>
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

    /// <summary>Gets or sets the number of near gets of this key that are in flight.</summary>
    public int Count { get; set; }

    /// <summary>
    /// Gets or sets the sequence number of the last event that poisoned the near gets of this key. Near gets that began before this event are poisoned: their
    /// values are not cached.
    /// </summary>
    public long PoisonedAt { get; set; }

    /// <summary>Gets or sets the next object in the hash bucket. Used only by <see cref="NearFlights"/>.</summary>
    public NearFlight? Next { get; set; }
}
