namespace Larder.Redis;

/// <summary>
/// Receives the entries that a <see cref="StreamFollower"/> reads from one Redis stream. Each entry is received once, in order. The methods are never called
/// concurrently. They must not block the thread.
/// </summary>
/// <param name="key">The key, which must be in the follower's slot.</param>
public abstract class FollowedStream(ReadOnlyMemory<byte> key)
{
    /// <summary>Gets the key.</summary>
    public ReadOnlyMemory<byte> Key { get; } = key;

    /// <summary>Gets the id of the last entry read. Reading continues after it.</summary>
    public StreamId Position { get; private protected set; }

    /// <summary>Gets or sets whether the opening script has run on the current connection.</summary>
    internal bool IsOpen { get; set; }

    /// <summary>Gets or sets the time at which the opening script is run again.</summary>
    internal TimeSpan OpensAt { get; set; }

    /// <summary>Gets or sets the number of times that the owner has requested a run of the opening script. Guarded by the follower's lock.</summary>
    internal long Asked { get; set; }

    /// <summary>Gets or sets the value of <see cref="Asked"/> when the opening script last ran.</summary>
    internal long LastOpenRequest { get; set; }

    /// <summary>Sets the entry after which reading continues.</summary>
    internal void MoveTo(StreamId position) => Position = position;

    /// <summary>Returns whether the opening script must be run now.</summary>
    internal bool IsDue(TimeSpan now) => OpensAt <= now || Asked != LastOpenRequest;

    /// <summary>
    /// Starts the opening script by <see cref="RedisCommand.BeginScript"/>; its first key must be in the follower's slot. The script runs before the first read
    /// on each connection, and periodically, so it must be safe to run repeatedly. Each run also fulfils all earlier requests by
    /// <see cref="StreamFollower.Add"/>.
    /// </summary>
    protected internal abstract void BeginOpening(RedisCommand command);

    /// <summary>Called with the script's reply. No entries have been read since the script ran.</summary>
    /// <returns>The entry after which reading starts.</returns>
    protected internal abstract StreamId OnOpened(ref RespReader reply);

    /// <summary>Called when the script failed. The script is run again later.</summary>
    protected internal abstract void OnNotOpened(RedisFailure failure);

    /// <summary>Called for each entry. The data is valid only during the call.</summary>
    /// <param name="id">The id of the entry. It is larger than <see cref="Position"/>.</param>
    /// <param name="fields">A reader that is positioned at the array of fields and values.</param>
    protected internal abstract void OnEntry(StreamId id, ref RespReader fields);

    /// <summary>
    /// Called after the last entry of a read. A read returns at most 128 entries. The next read starts after the returned task has completed.
    /// </summary>
    protected internal abstract ValueTask OnReadAsync();
}
