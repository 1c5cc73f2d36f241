namespace Larder.Server.Work;

/// <summary>The recipient of the result of work on a worker.</summary>
internal interface IWorkWaiter
{
    /// <summary>Gets whether the result is still needed: false if the client disconnected or its deadline has passed.</summary>
    bool IsWaiting { get; }
}
