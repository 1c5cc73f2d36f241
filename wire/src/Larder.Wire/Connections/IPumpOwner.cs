namespace Larder.Wire;

/// <summary>A connection whose frames an <see cref="OutputPump"/> sends: what it does at the pump's turns.</summary>
internal interface IPumpOwner
{
    /// <summary>Adds what may leave now, to what was gathered. Under the connection's lock. False where the connection is at its end.</summary>
    bool Gather();

    /// <summary>What was gathered is being sent; there is room behind it. Under the connection's lock.</summary>
    void OnTaken();

    /// <summary>Nothing is left, and the pump sleeps. Under the connection's lock.</summary>
    void OnEmpty();

    /// <summary>The transport takes no more, and nothing is sent after it. Without the lock.</summary>
    void OnBroken(Exception error);
}
