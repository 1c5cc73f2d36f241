using Larder.Harness;

namespace Larder.Tuner.Processes;

/// <summary>A resource that the tuner needs is missing or has failed. The message is for the user and says what to do.</summary>
internal sealed class TunerException(string message) : HarnessException(message);
