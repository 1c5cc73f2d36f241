namespace Larder.Server.Work;

/// <summary>Whoever waits for the result of work on a worker.</summary>
internal interface IWorkWaiter
{
    /// <summary>False when the client is gone or its deadline has passed.</summary>
    bool IsWaiting { get; }
}
