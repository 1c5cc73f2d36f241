namespace Larder.Wire;

/// <summary>A connection whose frames an <see cref="OutputPump"/> sends: the callbacks of the pump.</summary>
internal interface IPumpOwner
{
    /// <summary>Adds what can be sent now to the queued frames. Called under the connection's lock. Returns false if the connection has ended.</summary>
    bool Gather();

    /// <summary>Called when the queued frames are about to be sent, so that there is space for more. Called under the connection's lock.</summary>
    void OnTaken();

    /// <summary>Called when no frames are left and the pump goes to sleep. Called under the connection's lock.</summary>
    void OnEmpty();

    /// <summary>Called when the transport has failed; nothing is sent afterwards. Called without the lock.</summary>
    void OnBroken(Exception error);
}
