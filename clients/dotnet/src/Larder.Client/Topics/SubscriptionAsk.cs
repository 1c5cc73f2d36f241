namespace Larder.Client.Topics;

/// <summary>What a subscription asks the server for.</summary>
internal readonly record struct SubscriptionAsk(ulong ResumeAt, ulong Page, bool FromNow);
