namespace Larder.Client.Topics;

/// <summary>The position that a subscription requests from the server.</summary>
internal readonly record struct SubscriptionStartRequest(ulong ResumeAt, ulong Page, bool FromNow);
