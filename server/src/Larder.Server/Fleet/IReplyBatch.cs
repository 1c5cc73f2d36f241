namespace Larder.Server.Fleet;

/// <summary>Has written something that travels once a batch of replies has been handed out.</summary>
internal interface IReplyBatch
{
    /// <summary>The batch is over: send it.</summary>
    void OnBatchEnd();
}
