namespace Larder.Client.Topics;

/// <summary>What a discontinuity tells.</summary>
internal readonly record struct TopicGap(ulong Last, ulong Next, ulong Page);
