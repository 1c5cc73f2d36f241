namespace Larder.Server.Security;

/// <summary>Where a request names a key.</summary>
/// <param name="Field">The field, which may be repeated.</param>
/// <param name="Within">The key's field in the messages there; 0: the field is the key.</param>
internal readonly record struct KeyField(int Field, int Within);
