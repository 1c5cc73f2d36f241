namespace Larder.Server.Work;

/// <summary>The receiver of the result of a call that runs on a worker.</summary>
internal interface IWorkWaiter
{
    /// <summary>Gets whether the result is still needed. False if the client has disconnected or the deadline has passed.</summary>
    bool IsWaiting { get; }
}
