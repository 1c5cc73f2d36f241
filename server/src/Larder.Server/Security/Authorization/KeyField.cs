namespace Larder.Server.Security;

/// <summary>The location of a key in a request.</summary>
/// <param name="Field">The field number. The field may be repeated.</param>
/// <param name="Within">The field number of the key inside the nested message; 0 if the field itself contains the key.</param>
internal readonly record struct KeyField(int Field, int Within);
