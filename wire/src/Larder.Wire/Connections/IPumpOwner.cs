namespace Larder.Wire;

/// <summary>The callbacks of an <see cref="OutputPump"/>. They are implemented by the connection whose frames the pump sends.</summary>
internal interface IPumpOwner
{
    /// <summary>
    /// Adds the frames that can be sent now to the queued frames. Returns false if the connection has ended. Called under the connection's lock.
    /// </summary>
    bool Gather();

    /// <summary>
    /// Handles the start of a send. The queued frames have been taken, so there is space for more frames. Called under the connection's lock.
    /// </summary>
    void OnTaken();

    /// <summary>Handles the end of all sends. No frames are left, and the pump is about to sleep. Called under the connection's lock.</summary>
    void OnEmpty();

    /// <summary>Handles a failure of the transport. Nothing is sent afterwards. Called without the lock.</summary>
    void OnBroken(Exception error);
}
