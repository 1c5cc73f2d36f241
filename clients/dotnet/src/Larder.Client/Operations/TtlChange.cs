namespace Larder.Client.Operations;

/// <summary>How a TTL update changes the remaining time: the field of <c>UpdateTtlRequest.change</c>.</summary>
internal enum TtlChange
{
    IncreaseTo = 2,
    DecreaseTo = 3,
    OverwriteTo = 4,
}
