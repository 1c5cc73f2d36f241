namespace Larder.Redis;

/// <summary>
/// A stream of the engine that is followed: what a <see cref="StreamFollower"/> reads of it comes here, in order, each entry once. Its methods are called one
/// at a time, on a thread that they may not block.
/// </summary>
/// <param name="key">Its key, of the follower's slot.</param>
public abstract class FollowedStream(ReadOnlyMemory<byte> key)
{
    /// <summary>Its key.</summary>
    public ReadOnlyMemory<byte> Key { get; } = key;

    /// <summary>The last entry that was read; what is read next comes after it.</summary>
    public StreamId Position { get; private protected set; }

    /// <summary>Whether the engine was asked where it is, on the connection that it is read on.</summary>
    internal bool IsOpen { get; set; }

    /// <summary>When it is opened again.</summary>
    internal TimeSpan OpensAt { get; set; }

    /// <summary>How often its owner has asked for it to be opened. Under the follower's lock.</summary>
    internal long Asked { get; set; }

    /// <summary>How often that had been when it was opened last.</summary>
    internal long AskedBefore { get; set; }

    /// <summary>Goes on after another entry.</summary>
    internal void MoveTo(StreamId position) => Position = position;

    /// <summary>Whether it is to be opened.</summary>
    internal bool IsDue(TimeSpan now) => OpensAt <= now || Asked != AskedBefore;

    /// <summary>
    /// Begins the script that is run before the first reading on each connection and from time to time: <see cref="RedisCommand.BeginScript"/>, whose first
    /// key is of the follower's slot. Safe to run again. What was asked for by <see cref="StreamFollower.Add"/> until then is answered by this one.
    /// </summary>
    protected internal abstract void BeginOpening(RedisCommand command);

    /// <summary>What that script answered; nothing was read since it ran.</summary>
    /// <returns>The entry after which to go on.</returns>
    protected internal abstract StreamId OnOpened(ref RespReader reply);

    /// <summary>The script failed; it is run again later.</summary>
    protected internal abstract void OnNotOpened(RedisFailure failure);

    /// <summary>An entry. What is shown is valid within the call only.</summary>
    /// <param name="id">Its place, above <see cref="Position"/>.</param>
    /// <param name="fields">Stands on the array of its fields and values.</param>
    protected internal abstract void OnEntry(StreamId id, ref RespReader fields);

    /// <summary>After the last entry of one reading, of which there are at most 128; the next one waits for it.</summary>
    protected internal abstract ValueTask OnReadAsync();
}
