namespace Larder.Client.Near;

/// <summary>A stream that may become the near stream. It reports the outcome to <see cref="NearReads"/>. The methods neither block nor call back.</summary>
internal interface INearStream
{
    /// <summary>The stream's number among those of its client, from 1.</summary>
    long Number { get; }

    /// <summary>The transport of the stream.</summary>
    object Owner { get; }

    /// <summary>Sends <c>near_open</c> to become the near stream.</summary>
    void AskOpen();

    /// <summary>Sends <c>near_renew</c> to extend the lease, unless an earlier one is still unanswered.</summary>
    void AskRenew();
}
