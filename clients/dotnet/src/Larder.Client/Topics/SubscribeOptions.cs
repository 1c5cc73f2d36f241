namespace Larder.Client;

/// <summary>Where a subscription begins, and what it tells.</summary>
public sealed record SubscribeOptions
{
    internal static readonly SubscribeOptions Default = new();

    /// <summary>
    /// The number of the first message that is wanted: one more than the last that was had, to go on after it. Default 0: where <see cref="From"/> says. What
    /// the server keeps no longer is told by a <see cref="TopicEvent.Discontinuity"/>.
    /// </summary>
    public ulong ResumeAt { get; init; }

    /// <summary>The page of that number, as the item before had it. Default 0: whichever page the topic has. Only with <see cref="ResumeAt"/>.</summary>
    public ulong Page { get; init; }

    /// <summary>Where to begin without <see cref="ResumeAt"/>. Default <see cref="TopicStart.Newest"/>.</summary>
    public TopicStart From { get; init; }

    /// <summary>
    /// Whether a <see cref="TopicEvent.Heartbeat"/> is told: one as soon as the server has the subscription, then one after each second of silence. Default
    /// false.
    /// </summary>
    public bool Heartbeats { get; init; }

    internal CacheError? Check() =>
        Page > 0 && ResumeAt == 0 ? Invalid("A page without a number to resume at says nothing.")
        : From is not (TopicStart.Newest or TopicStart.Now) ? Invalid($"A subscription cannot begin from {From}.")
        : From == TopicStart.Now && ResumeAt > 0 ? Invalid("A subscription begins at a number or from now on, not both.")
        : null;

    private static CacheError Invalid(string reason) => new(CacheErrorCode.InvalidArgument, reason) { Operation = "subscribe" };
}
