namespace Larder.Server.Fleet;

/// <summary>Collects output while a batch of replies is processed, and sends it at the end of the batch.</summary>
internal interface IReplyBatch
{
    /// <summary>Sends the collected output. Called at the end of the batch.</summary>
    void OnBatchEnd();
}
