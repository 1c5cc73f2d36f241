namespace Larder.Server.Fleet;

/// <summary>Buffers output while a batch of replies is dispatched, and sends it at the end of the batch.</summary>
internal interface IReplyBatch
{
    /// <summary>Called at the end of the batch to send the output.</summary>
    void OnBatchEnd();
}
