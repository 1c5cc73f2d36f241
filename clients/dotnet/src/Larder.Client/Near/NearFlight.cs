namespace Larder.Client.Near;

/// <summary>
/// All near gets of one key that are in flight. They share one object, so one number poisons them all: a poisoned near get is answered, but its value is not
/// cached.
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

    /// <summary>Gets or sets the number of near gets.</summary>
    public int Count { get; set; }

    /// <summary>Gets or sets the number of the last event that poisoned them: near gets that began before it are poisoned.</summary>
    public long PoisonedAt { get; set; }

    /// <summary>Gets or sets the next object in the hash bucket. Used only by <see cref="NearFlights"/>.</summary>
    public NearFlight? Next { get; set; }
}
